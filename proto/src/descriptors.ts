import { readFileSync } from 'node:fs';

/** The directory that holds the `.proto` files, for readers that load them at run time (`@grpc/proto-loader`). */
export const protoDirectory = new URL('../', import.meta.url);

/** The bytes of a `google.protobuf.FileDescriptorSet` of every proto file of the system, imports included. */
export function descriptorSet(): Uint8Array {
  return readFileSync(new URL('../dist/descriptors.binpb', import.meta.url));
}
