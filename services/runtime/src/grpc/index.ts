export { type AccessList, accessTable, CallNotAllowedError, protoService } from './access.js';
export { auditAttribution, requireActor, requireAttribution } from './act.js';
export type { Certificates } from './certificates.js';
export { type CallTraces, type ClientCallWatch, watchCalls } from './client-telemetry.js';
export { type CallOptions, type ClientMethod, type ConnectOptions, connectGrpc, type GrpcClient } from './connect.js';
export type { HandlerContext } from './context.js';
export type { Definition } from './definition.js';
export { eachShown, streamExport } from './export-pieces.js';
export type { HealthCheck } from './health.js';
export {
  type BidiStreamHandler,
  bidiStream,
  type ClientStreamHandler,
  type Emit,
  type Handlers,
  implement,
  type ServerStreamHandler,
  type ServiceImplementation,
  serverStream,
  type UnaryHandler,
} from './implement.js';
export type { Tls } from './pem.js';
export { idempotentMethods } from './proto-methods.js';
export { isRole, type Role, roles } from './roles.js';
export { type GrpcServer, type ServeOptions, serveGrpc } from './serve.js';
export { grpcClientFaults, grpcServerConfig, grpcServerFaults } from './server-config.js';
export { fromServiceError, fromStatus, toStatus } from './status.js';
export { type RunStreamCall, type StreamCallContext, streamCallsOf } from './stream-call.js';
export { loadGrpcCertificates, measureExpiry } from './tls.js';
