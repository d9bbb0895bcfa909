import { fileURLToPath } from 'node:url';
import config from '../../vitest.config.js';

const project = config.test.projects.find(({ test }) => test.name === process.env.MUTATION_PROJECT);
const root = fileURLToPath(new URL('../..', import.meta.url));
const kind = project.test.name === 'unit' ? '' : '.mongo';

const include = [`services/*/src/*/*${kind}.test.ts`, `services/content/src/search/*/*${kind}.test.ts`];
const exclude = [...(project.test.exclude ?? []), '**/{handlers,store}{.,-,/}*'];

/** The vitest project that MUTATION_PROJECT names, reduced to the tests beside domains. */
export default { ...project, root, test: { ...project.test, include, exclude } };
