// A server in a process of its own, started from what was built, and what it says of itself. Imported by bench/serve.ts,
// bench/soak.ts and the server's tests.
import { type ChildProcess, spawn } from 'node:child_process';

/** A running server. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pages: string;
  /** Everything it logged. */
  readonly lines: string[];

  private constructor(child: ChildProcess, listening: { url: string; metrics: string }, lines: string[]) {
    this.child = child;
    this.url = listening.url;
    this.pages = listening.metrics.replace(/\/metrics$/, '');
    this.lines = lines;
  }

  /** @param main dist/src/cli/main.js */
  static start(main: string, args: readonly string[], nodeFlags: readonly string[] = []): Promise<ServerProcess> {
    const child = spawn(process.execPath, [...nodeFlags, main, 'serve', ...args, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Promise((done, fail) => {
      const lines: string[] = [];
      let rest = '';
      let errors = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          if (lines.length < 10_000) lines.push(line);
          const said = JSON.parse(line) as { msg: string; url: string; metrics: string };
          if (said.msg === 'listening') done(new ServerProcess(child, said, lines));
        }
      });
      child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${errors}`)));
    });
  }

  /** The metrics, by name and labels as they stand there. */
  async metrics(): Promise<Map<string, number>> {
    const text = await (await fetch(`${this.pages}/metrics`)).text();
    const values = new Map<string, number>();
    for (const line of text.split('\n')) {
      const at = line.lastIndexOf(' ');
      if (at > 0 && !line.startsWith('#')) values.set(line.slice(0, at), Number(line.slice(at + 1)));
    }
    return values;
  }

  /** SIGTERM; the exit code. */
  stop(): Promise<number | null> {
    return new Promise((done) => {
      if (this.child.exitCode !== null) done(this.child.exitCode);
      else {
        this.child.once('exit', (code) => done(code));
        this.child.kill('SIGTERM');
      }
    });
  }
}
