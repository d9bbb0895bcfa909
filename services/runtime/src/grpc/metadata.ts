import { Metadata } from '@grpc/grpc-js';

/**
 * Metadata of what can be sent. A value that gRPC does not take (it allows printable ASCII only) is left out: grpc-js would
 * throw, and one caller's header would fail the requests of all who share the call.
 */
export function metadataOf(values: Readonly<Record<string, string | undefined>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) metadata.set(name, value);
  }
  return metadata;
}
