import type { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { CallOptions, Definition, GrpcClient } from '@knowledge/runtime/client';

export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;

export type ServiceName = (typeof serviceNames)[number];

export type PerService<T> = Readonly<Record<ServiceName, T>>;

export function perService<T>(make: (name: ServiceName) => T): PerService<T> {
  return Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as PerService<T>;
}

/** Who calls the services: a run of the command line, or a request to the web desk. */
export interface Connected {
  /** Gives a client of one gRPC service. Who connected closes it. */
  connect<D extends Definition>(service: ServiceName, definition: D, limits?: { deadlineMs: number }): GrpcClient<D>;
  /** Makes the context of the next call, with its actor. */
  callContext(): CallOptions;
}

/** The methods of a client, which add who acts to each call. A call may have options of its own. */
export type Calls<D extends Definition> = {
  readonly [Name in keyof D]: GrpcClient<D>[Name] extends (given: infer Given, options: CallOptions) => infer Answer
    ? (given: Given, own?: Partial<CallOptions>) => Answer
    : never;
} & Pick<GrpcClient<D>, 'ready' | 'close'>;

export function withContext<D extends Definition>(client: GrpcClient<D>, callContext: () => CallOptions): Calls<D> {
  const methods = Object.entries(client as Record<string, (given: unknown, options: CallOptions) => unknown>);
  const calls = methods.map(([name, call]) => [
    name,
    (given: unknown, own?: Partial<CallOptions>) => call(given, { ...callContext(), ...own }),
  ]);
  return Object.fromEntries(calls) as Calls<D>;
}

export type EditorialCalls = Calls<typeof EditorialServiceService>;

export type ArticleDraftCalls = Calls<typeof ArticleDraftServiceService>;
