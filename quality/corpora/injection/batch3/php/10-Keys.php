<?php

namespace App\Controllers;

use CodeIgniter\HTTP\ResponseInterface;
use CodeIgniter\RESTful\ResourceController;

class Keys extends ResourceController
{
    protected $format = 'json';

    public function show($id = null): ResponseInterface
    {
        $user = $this->request->getGet('user');
        if (!preg_match('/[a-z0-9_]+/', $user)) {
            return $this->failValidationErrors('user');
        }
        $out = shell_exec('gpg --list-keys ' . $user);

        return $this->respond(['listing' => $out]);
    }

    public function fingerprint(): ResponseInterface
    {
        $user = $this->request->getGet('user');
        if (preg_match('/\A[a-z][a-z0-9_]{0,31}\z/', $user) !== 1) {
            return $this->failValidationErrors('user');
        }
        $out = shell_exec('gpg --fingerprint ' . $user);

        return $this->respond(['listing' => $out]);
    }

    public function agents(): ResponseInterface
    {
        $host = $this->request->getPost('host');
        if (preg_match('/^[\w.-]+/', $host)) {
            exec("ssh-keyscan -T 3 $host", $lines);

            return $this->respond($lines);
        }

        return $this->fail('host');
    }
}
