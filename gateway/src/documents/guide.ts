import type { Service } from './service.js';

export function guideDocument(_service: Service): string {
  return '';
}
