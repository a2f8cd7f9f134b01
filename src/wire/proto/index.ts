// `navguard/wire/proto`: the frames of navguard/wire as Protocol Buffers. Needs the optional peer @bufbuild/protobuf; the
// schema is the package's src/wire/navguard.proto.
//
// Sending: `toBinary(ServerFrameSchema, create(ServerFrameSchema, { frame: { case: 'correction', value:
// correctionMessage(frame) } }))`. Receiving: `readClientFrame(bytes)`, then by its `frame.case` the frame's converter.
import { fromBinary } from '@bufbuild/protobuf';
import { Malformed, type MalformedCode } from '../commands.ts';
import { type ClientFrame, ClientFrameSchema, type ServerFrame, ServerFrameSchema } from './navguard_pb.ts';

export * from './client.ts';
export * from './navguard_pb.ts';
export * from './server.ts';

/**
 * Reads what a client sent: a message whose `frame.case` is set, or `Malformed.value` (no message of these bytes) or
 * `Malformed.command` (none of the frames that this version knows). Whatever the bytes are, it never throws. It allocates as
 * much as the bytes ask for: bound their number before (MAX_REQUEST_BYTES is enough).
 */
export function readClientFrame(bytes: Uint8Array): ClientFrame | MalformedCode {
  try {
    const message = fromBinary(ClientFrameSchema, bytes);
    return message.frame.case === undefined ? Malformed.command : message;
  } catch {
    return Malformed.value;
  }
}

/** Reads what a server sent; as `readClientFrame`. */
export function readServerFrame(bytes: Uint8Array): ServerFrame | MalformedCode {
  try {
    const message = fromBinary(ServerFrameSchema, bytes);
    return message.frame.case === undefined ? Malformed.command : message;
  } catch {
    return Malformed.value;
  }
}
