import { readFileSync } from 'node:fs';

/** The bytes of a `google.protobuf.FileDescriptorSet` of every proto file of the system, imports included. */
export function descriptorSet(): Uint8Array {
  return readFileSync(new URL('../dist/descriptors.binpb', import.meta.url));
}
