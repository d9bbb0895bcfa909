export { embeddingsFaults, embeddingsVariables } from './config.js';
export { openMeanings } from './open-meanings.js';
export { textVectorCollections } from './store/documents.js';
export { textVectorsSchema } from './store/schema.js';
export { forgetVectors } from './store/text-vectors.js';
