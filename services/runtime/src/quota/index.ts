export { type Charges, createCharges, createSettler, type Settler } from './charges.js';
