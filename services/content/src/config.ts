import { address, integer, text } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';

export const readContentConfig = serviceConfig({
  GRPC_ADDRESS: address({ default: '127.0.0.1:50051' }),
  MONGODB_DATABASE: text({ default: 'knowledge_content' }),
  SEARCH_INDEX_MEGABYTES: integer({
    min: 1,
    max: 4096,
    default: 128,
    description: 'memory of the search index; beyond it, further texts are searched without their bodies',
  }),
});

export type ContentConfig = ReturnType<typeof readContentConfig>;
