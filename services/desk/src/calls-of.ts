import type { CallOptions, Definition, GrpcClient } from '@knowledge/runtime/client';
import type { ServiceName } from './connection/services.js';
import type { Session } from './session.js';

/** The methods of a client, which add who acts to each call. */
type Calls<D extends Definition> = {
  readonly [Name in keyof D]: GrpcClient<D>[Name] extends (given: infer Given, options: CallOptions) => infer Answer
    ? (given: Given) => Answer
    : never;
} & Pick<GrpcClient<D>, 'ready' | 'close'>;

/** Makes a function that gives the calls of a service. A session connects to the service at its first use. */
export function callsOf<D extends Definition>(service: ServiceName, definition: D, limits?: { deadlineMs: number }) {
  const opened = new WeakMap<Session, Calls<D>>();
  return (session: Session): Calls<D> => {
    const calls = opened.get(session) ?? withContext(session, session.connect(service, definition, limits));
    opened.set(session, calls);
    return calls;
  };
}

function withContext<D extends Definition>(session: Session, client: GrpcClient<D>): Calls<D> {
  const methods = Object.entries(client as Record<string, (given: unknown, options: CallOptions) => unknown>);
  const calls = methods.map(([name, call]) => [name, (given: unknown) => call(given, session.callContext())]);
  return Object.fromEntries(calls) as Calls<D>;
}
