import { describe } from 'vitest';
import { testSearching } from '../testing/searching.js';

describe('a service that searches in its memory', () => testSearching({}, true));
