import { address, choice, integer, text } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';
import { indexForms } from './search/open-search.js';
import { embeddingsFaults, embeddingsVariables } from './search-vectors/index.js';

export const readContentConfig = serviceConfig(
  {
    ...embeddingsVariables,
    GRPC_ADDRESS: address({ default: '127.0.0.1:50051' }),
    MONGODB_DATABASE: text({ default: 'knowledge_content' }),
    SEARCH_INDEX: choice(indexForms, {
      default: 'auto',
      description:
        'where the search index is: in memory, in the database, or (auto) in memory as long as there is room',
    }),
    SEARCH_INDEX_MEGABYTES: integer({
      min: 1,
      max: 4096,
      default: 128,
      description: 'memory of the search index; beyond it, auto moves the index to the database',
    }),
  },
  embeddingsFaults,
);

export type ContentConfig = ReturnType<typeof readContentConfig>;
