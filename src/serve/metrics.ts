// /metrics: what a server has counted, in Prometheus' text form. prom-client is loaded only here, when a server starts.
// Imported by serve/server.ts.
import type { Registry } from 'prom-client';
import { REASON_NAMES, VERDICT_WORDS } from '../reasons.ts';
import { BUCKETS, CLOSE_REASONS, type Counts, DROPS, REFUSALS } from './counts.ts';
import type { Judge } from './judge.ts';

/** What is measured. */
export interface Measured {
  readonly map: { readonly info: { readonly hash: string; readonly format: string; readonly polygons: number } };
  readonly counts: Counts;
  readonly judge: Judge;
  readonly clients: { readonly size: number };
  readonly rooms: { readonly size: number };
  readonly entities: number;
  readonly addresses: number;
  unsent(): { all: number; fullest: number };
}

/** A registry that reads the server's numbers when it is scraped. */
export async function registry(server: Measured): Promise<Registry> {
  const { Counter, Gauge, Registry: Registries, collectDefaultMetrics } = await import('prom-client');
  const register = new Registries();
  const registers = [register];
  collectDefaultMetrics({ register });
  const { counts } = server;

  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: `navguard_${name}`,
      help,
      registers,
      collect(): void {
        this.set(value());
      },
    });
  };
  const counter = (name: string, help: string, value: () => number): void => {
    const made = new Counter({
      name: `navguard_${name}_total`,
      help,
      registers,
      collect(): void {
        made.reset();
        made.inc(value());
      },
    });
  };
  const counters = <Key extends string>(
    name: string,
    help: string,
    label: string,
    keys: readonly Key[],
    values: Readonly<Record<Key, number>>,
  ): void => {
    const made = new Counter({
      name: `navguard_${name}_total`,
      help,
      labelNames: [label],
      registers,
      collect(): void {
        made.reset();
        for (const key of keys) made.inc({ [label]: key }, values[key]);
      },
    });
  };

  const verdicts = new Counter({
    name: 'navguard_verdicts_total',
    help: 'Claims by verdict and reason',
    labelNames: ['verdict', 'reason'],
    registers,
    collect(): void {
      verdicts.reset();
      counts.verdicts.forEach((n, k) => {
        if (n === 0) return;
        const verdict = VERDICT_WORDS[Math.floor(k / REASON_NAMES.length)];
        verdicts.inc({ verdict, reason: REASON_NAMES[k % REASON_NAMES.length] }, n);
      });
    },
  });
  answerHistogram(register, counts);

  const info = new Gauge({
    name: 'navguard_map_info',
    help: 'The map: always 1',
    labelNames: ['hash', 'format', 'polygons'],
    registers,
  });
  const { hash, format, polygons } = server.map.info;
  info.set({ hash, format, polygons: String(polygons) }, 1);

  gauge('sockets', 'Open sockets', () => server.clients.size);
  gauge('rooms', 'Rooms with somebody in them', () => server.rooms.size);
  gauge('entities', 'Entities in the game', () => server.entities);
  gauge('addresses', 'Addresses that are remembered', () => server.addresses);
  const depth = new Gauge({
    name: 'navguard_queue_depth_bytes',
    help: 'Bytes that wait: to be sent (all sockets; the fullest one), to be written to the move log',
    labelNames: ['queue'],
    registers,
    collect(): void {
      const { all, fullest } = server.unsent();
      depth.set({ queue: 'send' }, all);
      depth.set({ queue: 'send_fullest' }, fullest);
      depth.set({ queue: 'record' }, server.judge.log?.waiting ?? 0);
    },
  });
  counter('connections', 'Connections accepted', () => counts.connections);
  counter('frames', 'Frames received', () => counts.frames);
  counter('received_bytes', 'Bytes of frames received', () => counts.bytes);
  counter('messages_sent', 'Messages sent', () => counts.sent);
  counter('pauses', 'Times that the server itself stood still', () => counts.pauses);
  counter('pause_seconds', 'How long it stood still', () => counts.pauseMs / 1000);
  counter('recorded_events', 'Events of the move log', () => server.judge.log?.events ?? 0);
  counter('record_files', 'Files of the move log begun', () => server.judge.log?.begun ?? 0);
  counter('record_gaps', 'Times that the disk was too slow for the move log', () => server.judge.log?.gaps ?? 0);
  counters('closed', 'Sockets closed, by why', 'why', CLOSE_REASONS, counts.closed);
  counters('refused_connections', 'Connections refused, by why', 'why', REFUSALS, counts.refused);
  counters('dropped', 'Frames and snapshots dropped, by why', 'why', DROPS, counts.dropped);
  return register;
}

/** A histogram whose buckets are counted elsewhere: what prom-client asks of a metric is a name and `get`. */
function answerHistogram(register: Registry, counts: Counts): void {
  const name = 'navguard_answer_seconds';
  const metric = {
    name,
    async get() {
      let sum = 0;
      const values = counts.answers.reduce<object[]>((all, n, k) => {
        sum += n;
        const le = k < BUCKETS.length ? BUCKETS[k] : '+Inf';
        all.push({ labels: { le }, value: sum, metricName: `${name}_bucket` });
        return all;
      }, []);
      values.push({ labels: {}, value: counts.answerSeconds, metricName: `${name}_sum` });
      values.push({ labels: {}, value: sum, metricName: `${name}_count` });
      const help = 'From a claim read from its socket to its answer written, seconds';
      return { name, help, type: 'histogram', values, aggregator: 'sum' };
    },
    reset(): void {},
  };
  register.registerMetric(metric as never);
}
