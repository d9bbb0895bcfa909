export { type Charges, createCharges } from './charges.js';
export { RemoteClock } from './remote-clock.js';
export { createSettler, type Settler } from './settler.js';
