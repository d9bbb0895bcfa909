import type { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Logger } from '@knowledge/runtime';
import type { Definition, GrpcClient } from '@knowledge/runtime/grpc';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import type { ServiceName } from '../services.js';
import type { DeskConfig } from './config.js';
import type { OpenIdProvider } from './provider.js';
import type { Cookies } from './staff.js';

/** What the pages of the web desk use. */
export interface WebDesk {
  readonly config: DeskConfig;
  readonly log: Logger;
  readonly watch: RequestWatch;
  readonly cookies: Cookies;
  /** The OpenID provider of the staff; undefined if people sign in by codes only. */
  readonly provider: OpenIdProvider | undefined;
  readonly sessions: GrpcClient<typeof StaffSessionServiceService>;
  /** Gives the client of one gRPC service; the same client each time. */
  connect<D extends Definition>(service: ServiceName, definition: D): GrpcClient<D>;
}
