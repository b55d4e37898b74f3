import { passDemoLogin, passedDemoLogin } from './demo-login.js';

const login = { email: 'demo@shop.example', password: 'demo-password' };

it('is passed on to a process that this one starts', () => {
  expect(passedDemoLogin(passDemoLogin(login), process.pid)).toEqual(login);
});

it('is nothing to a process that another one has started, whatever its environment says', () => {
  expect(passedDemoLogin(passDemoLogin(login), process.pid + 1)).toBeUndefined();
});

it('takes away what the environment had where there is no such login', () => {
  const env = { ...passDemoLogin(login), ...passDemoLogin(undefined) };
  expect(passedDemoLogin(env, process.pid)).toBeUndefined();
});

it.each(['', 'true', '[', '[]', '{}', 'null', JSON.stringify(login)])(
  'is nothing where the environment says %j',
  (text) => {
    const [variable = ''] = Object.keys(passDemoLogin(login));
    expect(passedDemoLogin({ [variable]: text }, process.pid)).toBeUndefined();
  },
);
