<?php

namespace App\Service;

use Symfony\Component\HttpFoundation\Request;

class LookupException extends \RuntimeException
{
}

class UserLookup
{
    public function __construct(private \PDO $pdo)
    {
    }

    private function id(string $raw): int
    {
        if (!ctype_digit($raw)) {
            throw new LookupException($raw);
        }
        return (int) $raw;
    }

    public function __invoke(Request $request): array
    {
        $raw = (string) $request->get('user');
        try {
            $id = $this->id($raw);
            return $this->pdo->query("SELECT * FROM users WHERE id = $id")->fetchAll();
        } catch (LookupException $e) {
            $login = $e->getMessage();
            return $this->pdo->query("SELECT * FROM users WHERE login = '$login'")->fetchAll();
        }
    }
}
