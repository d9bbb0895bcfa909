import type { CallOptions } from '@knowledge/runtime/client';

/** Who calls the services: a run of the command line, or a request to the web desk. */
export interface Caller {
  /** Makes the context of the next call, with its actor. */
  callContext(): CallOptions;
}
