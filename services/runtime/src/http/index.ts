export { networkOf } from '../text/networks.js';
export { clientAddressOf, networksOf, trustedProxies } from './client-address.js';
export { createConnections } from './connections/connections.js';
export { failureBody, failureHeaders } from './failure.js';
export { httpLimits } from './http-limits.js';
export { pathOf } from './path-of.js';
export { requestIdOf } from './request-id.js';
export { createServer, type EarlyResponses } from './server.js';
export { headersTooLarge, uriTooLong } from './too-large.js';
