import { fileURLToPath } from 'node:url';
import config from '../../vitest.config.js';

const unit = config.test.projects.find(({ test }) => test.name === 'unit');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The vitest project `unit`, reduced to the tests of the domain folders. */
export default { ...unit, root, test: { ...unit.test, include: ['services/*/src/domain/**/*.test.ts'] } };
