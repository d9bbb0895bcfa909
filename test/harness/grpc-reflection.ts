import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync, type PackageDefinition } from '@grpc/proto-loader';

type ReflectionClient = Client & { ServerReflectionInfo(): NodeJS.ReadWriteStream };

interface Answer {
  list_services_response?: { service: { name: string }[] };
  file_descriptor_response?: { file_descriptor_proto: Buffer[] };
}

/** Reads the definitions of all services and messages from a server, by reflection. */
export async function reflect(address: string): Promise<{ services: string[]; definition: PackageDefinition }> {
  const file = fileURLToPath(new URL('../contract/reflection.proto', import.meta.url).href.replace('/dist/', '/'));
  const root = loadPackageDefinition(loadSync(file, { keepCase: true })) as unknown as {
    grpc: { reflection: { v1: { ServerReflection: new (...options: unknown[]) => ReflectionClient } } };
  };
  const client = new root.grpc.reflection.v1.ServerReflection(address, credentials.createInsecure());
  const call = client.ServerReflectionInfo();
  const ask = (question: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      call.once('data', resolve);
      call.once('error', reject);
      call.write(question as never);
    });
  const { list_services_response: listed } = await ask({ list_services: '' });
  const services = (listed?.service ?? []).map(({ name }) => name).filter((name) => name.startsWith('knowledge.'));
  const files = new Map<string, Buffer>();
  for (const symbol of services) {
    const { file_descriptor_response: found } = await ask({ file_containing_symbol: symbol });
    for (const bytes of found?.file_descriptor_proto ?? []) files.set(bytes.toString('base64'), bytes);
  }
  call.end();
  client.close();
  const options = { keepCase: true, longs: String, enums: Number, oneofs: false };
  return { services, definition: loadFileDescriptorSetFromBuffer(descriptorSet([...files.values()]), options) };
}

/** Encodes a `google.protobuf.FileDescriptorSet`. Each file is a field with the number 1. */
function descriptorSet(files: readonly Buffer[]): Buffer {
  return Buffer.concat(files.flatMap((file) => [Buffer.from([0x0a]), varint(file.length), file]));
}

/** Encodes a number as a protobuf varint. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}
