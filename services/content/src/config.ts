import { address, text } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';

export const readContentConfig = serviceConfig({
  GRPC_ADDRESS: address({ default: '127.0.0.1:50051' }),
  MONGODB_DATABASE: text({ default: 'knowledge_content' }),
});
