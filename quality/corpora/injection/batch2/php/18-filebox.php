<?php

final class FileBox
{
    private string $root;

    public function __construct(string $root)
    {
        $this->root = realpath($root);
    }

    public function read(string $rel): string
    {
        $full = realpath($this->root . '/' . $rel);
        if ($full === false || strpos($full, $this->root . DIRECTORY_SEPARATOR) !== 0) {
            throw new RuntimeException('not here');
        }
        return file_get_contents($full);
    }

    public function append(string $rel, string $text): void
    {
        $full = $this->root . '/' . $rel;
        if (!str_starts_with($full, $this->root . '/')) {
            throw new RuntimeException('not here');
        }
        file_put_contents($full, $text, FILE_APPEND);
    }

    public function delete(string $rel): void
    {
        $full = realpath($this->root . '/' . $rel);
        if ($full === false || strpos($full, $this->root) === false) {
            throw new RuntimeException('not here');
        }
        unlink($full);
    }
}

$box = new FileBox('/srv/filebox');
switch ($_SERVER['REQUEST_METHOD']) {
    case 'GET':
        echo $box->read($_GET['f']);
        break;
    case 'PATCH':
        $box->append($_GET['f'], file_get_contents('php://input'));
        break;
    case 'DELETE':
        $box->delete($_GET['f']);
        break;
}
