import { Metadata } from '@grpc/grpc-js';

/**
 * Makes metadata of the valid values and drops the others. gRPC allows printable ASCII only. grpc-js would throw, and
 * in a batch one caller's header would fail everybody's requests.
 */
export function metadataOf(values: Readonly<Record<string, string | undefined>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) metadata.set(name, value);
  }
  return metadata;
}
