import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { demoLogin, logIn } from '../../api/session.ts';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';

const route = getRouteApi('/login');

/** After it, the page that was requested. */
export function LogInPage(): ReactElement {
  const { to } = route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const demo = demoLogin();
  const [login, setLogin] = useState({ Email: demo?.email ?? '', Password: demo?.password ?? '' });
  useEffect(() => void (document.title = 'Log in · Scheduled Orders'), []);
  const entering = useMutation({
    mutationFn: () => logIn(login),
    onSuccess: () => {
      // Nothing of an account that was here before, neither its answers nor what its pages were loaded with.
      client.clear();
      router.clearCache();
      router.history.replace(router.basepath + inTheConsole(to));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper w="100%" maw={400} p="xl">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1}>Scheduled Orders</Title>
            {to !== undefined && to !== '/' && <Text size="sm">Log in to go on where you were.</Text>}
            <ProblemAlert error={entering.error} shownFields={['Email', 'Password']} />
            <TextInput
              label="E-mail address"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={login.Email}
              onChange={({ currentTarget }) => setLogin({ ...login, Email: currentTarget.value })}
              error={faultOf(entering.error, 'Email')}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={login.Password}
              onChange={({ currentTarget }) => setLogin({ ...login, Password: currentTarget.value })}
              error={faultOf(entering.error, 'Password')}
            />
            {demo !== null && (
              <Text size="sm" c="dimmed">
                This is the demo’s login, which everybody knows.
              </Text>
            )}
            <Button type="submit" loading={entering.isPending}>
              Log in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

/** A path below the console's, so that no link leads elsewhere, whoever made it. */
const inTheConsole = (to: string | undefined) => (to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/');
