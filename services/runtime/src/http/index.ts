export { networkOf } from '../text/networks.js';
export { createConnections } from './connections.js';
export { failureBody, failureHeaders, headersTooLarge, uriTooLong } from './failure.js';
export { clientAddressOf, httpLimits, networksOf, pathOf, requestIdOf, trustedProxies } from './request.js';
export { createServer, type EarlyResponses } from './server.js';
