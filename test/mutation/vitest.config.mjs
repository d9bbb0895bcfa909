import { fileURLToPath } from 'node:url';
import config from '../../vitest.config.js';

const project = config.test.projects.find(({ test }) => test.name === process.env.MUTATION_PROJECT);
const root = fileURLToPath(new URL('../..', import.meta.url));
const kind = project.test.name === 'unit' ? '' : '.mongo';

const folders = [
  'services/*/src/domain/**',
  'services/content/src/search/{analysis,ranking,index}/**',
  'services/content/src/search',
];
const include = folders.map((folder) => `${folder}/*${kind}.test.ts`);

/** The vitest project that MUTATION_PROJECT names, reduced to the tests of these folders. */
export default { ...project, root, test: { ...project.test, include } };
