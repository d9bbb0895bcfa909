export { networkOf } from '../text/networks.js';
export { failureBody, failureHeaders, headerFault, uriTooLong } from './failure.js';
export { httpServerOf, startHttpService } from './http-service.js';
export { loadShedding, registerProbes } from './probes.js';
export {
  clientAddressOf,
  httpLimits,
  networksOf,
  pathOf,
  repeatableRequestId,
  requestIdOf,
  trustedProxies,
} from './request.js';
