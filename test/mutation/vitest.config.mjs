import { fileURLToPath } from 'node:url';
import config from '../../vitest.config.js';

const unit = config.test.projects.find(({ test }) => test.name === 'unit');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The project `unit`, with the tests of the domains alone. */
export default { ...unit, root, test: { ...unit.test, include: ['services/*/src/domain/**/*.test.ts'] } };
