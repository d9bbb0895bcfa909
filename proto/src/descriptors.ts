import { descriptors } from './gen/descriptors.js';

/** The bytes of a `google.protobuf.FileDescriptorSet` of every proto file of the system, imports included. */
export function descriptorSet(): Uint8Array {
  return Buffer.from(descriptors, 'base64');
}
