// The one error class and the table of its codes. A leaf: imports nothing.

/** What went wrong, for programs. The message is for people: one sentence with got and expected. */
export type ErrorCode =
  | 'BAD_FILE' // a navmesh, pack or log that does not hold together
  | 'UNSUPPORTED_FORMAT' // a file that looks like something else
  | 'BAD_RULE' // unknown rule or value out of range
  | 'BAD_ARGUMENT' // a caller's mistake
  | 'BAD_LOG' // a move log line that stops the run
  | 'QUEUE_FULL' // a pool has as much to do as it may: wait for `ready`
  | 'CLOSED' // a pool that was closed, or closes
  | 'THREAD_FAILED' // a pool's thread died again and again at the same work
  | 'OUT_OF_MEMORY' // a map and its batches need more memory than there is
  | 'IMPORT_FAILED'; // recast-navigation refused or changed what the file says

/** Every error that navguard throws on purpose. */
export class NavguardError extends Error {
  readonly code: ErrorCode;
  /** Numbers and names behind the sentence: offsets, tile, polygon, got, expected. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'NavguardError';
    this.code = code;
    this.detail = detail;
  }
}
