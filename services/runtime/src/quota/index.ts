export { type Charges, createCharges } from './charges.js';
export { createSettler, type Settler } from './settler.js';
