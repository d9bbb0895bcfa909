import { randomBytes } from 'node:crypto';
import { engineSync, findEngine, imageOf } from './engine.js';
import { deployables, mongoImage } from './fleet.js';

/** Finds a container engine and the images. At the end, also after Ctrl-C, removes all containers and networks. */
export function setup(): () => void {
  const engine = findEngine();
  if (engine === undefined) throw new Error('test:images needs a container engine; neither docker nor podman answers.');
  const missing = [...deployables.map(imageOf), mongoImage].filter(
    (image) => engineSync(engine, ['image', 'inspect', image]).status !== 0,
  );
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}; run npm run images first.`);
  const run = `knowledge-${randomBytes(3).toString('hex')}`;
  Object.assign(process.env, { IMAGES_ENGINE: engine, IMAGES_RUN: run });

  let removed = false;
  const remove = (): void => {
    if (removed) return;
    removed = true;
    const listed = engineSync(engine, ['ps', '--all', '--quiet', '--filter', `label=knowledge.test=${run}`]);
    const ids = listed.stdout.split('\n').filter(Boolean);
    if (ids.length > 0) engineSync(engine, ['rm', '--force', '--volumes', ...ids]);
    engineSync(engine, ['network', 'rm', run]);
  };
  process.once('exit', remove);
  return remove;
}
