import { methods } from '@knowledge/proto/methods';

/** Every method of every proto, as `package.Service/Method`. */
export function protoMethods(): string[] {
  return [...methods.keys()];
}

/** The proto names of the idempotent methods of a service. */
export function idempotentMethods(service: string): string[] {
  const ofService = [...methods].filter(([name, idempotent]) => idempotent && name.startsWith(`${service}/`));
  return ofService.map(([name]) => name.slice(service.length + 1));
}
