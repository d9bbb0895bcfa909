import { methods as listed } from './gen/methods.js';

/**
 * Every method of every proto, as `package.Service/Method`. The value says whether its proto declares it as idempotent,
 * so that a client may repeat it. The build makes the list, since parsing the descriptors takes much memory.
 */
export const methods: ReadonlyMap<string, boolean> = new Map(Object.entries(listed));
