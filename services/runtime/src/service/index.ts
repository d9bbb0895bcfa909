export { serviceConfig } from './config.js';
export {
  defineService,
  type RunningService,
  type Service,
  type ServiceBase,
  type ServiceParts,
} from './define-service.js';
