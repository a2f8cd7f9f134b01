// The binary form of move logs: see form.ts. Re-exports only.
export { BinaryLogParser } from './decode.ts';
export { FrameEncoder, isPlainMove } from './encode.ts';
export { fileHead, isBinary } from './form.ts';
