export { networkOf } from '../text/networks.js';
export { createConnections } from './connections/connections.js';
export { failureBody, failureHeaders, headersTooLarge, uriTooLong } from './failure.js';
export { httpLimits } from './http-limits.js';
export { clientAddressOf, networksOf, pathOf, requestIdOf, trustedProxies } from './request.js';
export { createServer, type EarlyResponses } from './server.js';
