import { vi } from 'vitest';

// Everything that is tested of search, with its index in the database in place of memory.
vi.stubEnv('TESTED_SEARCH_INDEX', 'database');
await import('./search.mongo.test.js');
