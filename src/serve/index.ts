// A reference server on WebSockets: front of serve/. Imported by cli/serve.ts, tests, bench/.
export { type CloseReason, Counts, type Drop, type Refusal } from './counts.ts';
export type { Placed, ServeLogger, ServeOptions } from './given.ts';
export type { VerdictListener } from './judge.ts';
export { flagOf, SETTINGS, type SettingName, type Settings } from './options.ts';
export type { ServeRecordOptions } from './recorder.ts';
export { type Server, startServer } from './server.ts';
export { spawnPoints } from './spawn.ts';
