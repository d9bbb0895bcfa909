import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Logger } from '@knowledge/runtime';
import type { Definition, GrpcClient } from '@knowledge/runtime/grpc';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import type { FastifyRequest } from 'fastify';
import type { Calls, ServiceName } from '../base/services.js';
import type { DeskConfig } from './config.js';
import type { OpenIdProvider } from './provider.js';
import type { Cookies } from './staff.js';

/** The calls of one gRPC service in the name of who makes a request. */
export type RequestCalls<D extends Definition> = (request: FastifyRequest) => Calls<D>;

export type Editorial = RequestCalls<typeof EditorialServiceService>;

/** What the pages of the web desk use. */
export interface WebDesk {
  readonly config: DeskConfig;
  readonly log: Logger;
  readonly watch: RequestWatch;
  readonly cookies: Cookies;
  /** The OpenID provider of the staff; undefined if people sign in by codes only. */
  readonly provider: OpenIdProvider | undefined;
  readonly sessions: GrpcClient<typeof StaffSessionServiceService>;
  calls<D extends Definition>(service: ServiceName, definition: D): RequestCalls<D>;
  /** Gives the client of one gRPC service; the same client each time. */
  connect<D extends Definition>(service: ServiceName, definition: D): GrpcClient<D>;
}
