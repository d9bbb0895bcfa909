import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSync, type MethodDefinition, type PackageDefinition } from '@grpc/proto-loader';
import { protoDirectory } from '@knowledge/proto/descriptors';
import { UsageError } from '../desk-error.js';

/** A method as the proto files have it. */
type ContractMethod = MethodDefinition<object, object>;

/** Every message, enum and service of the proto files, by its full name. */
export type Contract = PackageDefinition;

/** Loads the proto files themselves, by another reader than the one that made our clients. */
export function loadContract(): Contract {
  const roots = [fileURLToPath(protoDirectory), fileURLToPath(new URL('third_party/', protoDirectory))];
  const files = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(knowledge|grpc)\W.*\.proto$/.test(name),
    ),
  );
  return loadSync(files, {
    includeDirs: roots,
    keepCase: true,
    longs: Number,
    enums: String,
    bytes: String,
    defaults: true,
  });
}

/** A method and where it belongs. */
export interface FoundMethod {
  /** The full name, for example `knowledge.content.v1.ContentService`. */
  readonly service: string;
  readonly name: string;
  readonly method: ContractMethod;
}

/**
 * The method of `knowledge.content.v1.ContentService/ListArticles`, or of `ContentService/ListArticles`.
 *
 * @throws UsageError that names what there is.
 */
export function findMethod(contract: Contract, path: string): FoundMethod {
  const match = /^\/?([\w.]+)\/(\w+)$/.exec(path);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new UsageError(`${path}: give it as SERVICE/METHOD, for example ContentService/ListArticles.`);
  }
  const [, wanted, name] = match;
  const services = serviceNamesOf(contract);
  const service = services.find((each) => each === wanted || each.endsWith(`.${wanted}`));
  if (service === undefined) {
    throw new UsageError(`There is no service ${wanted}; there are ${services.map(shortName).join(', ')}.`);
  }
  const methods = methodsOf(contract, service);
  const method = Object.entries(methods).find(([each]) => each.toLowerCase() === name.toLowerCase());
  if (method === undefined) {
    throw new UsageError(`${shortName(service)} has no method ${name}; it has ${Object.keys(methods).join(', ')}.`);
  }
  return { service, name: method[0], method: method[1] };
}

function serviceNamesOf(contract: Contract): string[] {
  return Object.keys(contract).filter((name) => !('format' in (contract[name] ?? {})));
}

function methodsOf(contract: Contract, service: string): Record<string, ContractMethod> {
  return contract[service] as Record<string, ContractMethod>;
}

function shortName(service: string): string {
  return service.slice(service.lastIndexOf('.') + 1);
}
