// `navguard/wire`: binary frames between server and client. Allocation-free, dependency-free, also for browsers.
export {
  ANSWER_BYTES,
  ANSWER_COMMAND,
  decodeAnswer,
  encodeAnswer,
  type MoveAnswer,
  STEPS_PER_METRE,
  writeAnswer,
} from './answer.ts';
