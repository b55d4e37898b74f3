export { ServiceProcess } from './service-process.js';
