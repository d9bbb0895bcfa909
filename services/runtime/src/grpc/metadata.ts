import { Metadata } from '@grpc/grpc-js';

/**
 * Makes metadata of the valid values and drops the others. gRPC allows only printable ASCII, and grpc-js would throw
 * for other values. In a batch one caller's invalid header would then fail the requests of all callers.
 */
export function metadataOf(values: Readonly<Record<string, string | undefined>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) metadata.set(name, value);
  }
  return metadata;
}
