<?php

namespace App\Media;

use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Routing\Annotation\Route;

class MediaRepository
{
    public function __construct(private Connection $db)
    {
    }

    public function byOwner(string $owner, string $order): array
    {
        return $this->db->fetchFirstColumn('SELECT file FROM media WHERE owner = ? ORDER BY ' . $order, [$owner]);
    }

    public function rename(int $id, string $file): void
    {
        $this->db->executeStatement('UPDATE media SET file = ? WHERE id = ?', [$file, $id]);
    }
}

class MediaFiles
{
    private string $root = '/srv/media';

    public function at(string $name): string
    {
        return $this->root . '/' . $name;
    }

    public function move(string $from, string $to): void
    {
        rename($this->at($from), $this->at($to));
    }

    public function remove(string $name): void
    {
        unlink($this->at($name));
    }
}

class Thumbnailer
{
    public function make(string $file, string $size): void
    {
        exec("vipsthumbnail $file --size $size");
    }
}

class MediaController extends AbstractController
{
    public function __construct(
        private MediaRepository $rows,
        private MediaFiles $files,
        private Thumbnailer $thumbs,
    ) {
    }

    #[Route('/media', methods: ['GET'])]
    public function list(Request $request): Response
    {
        return $this->json($this->rows->byOwner('me', $request->query->get('order', 'id')));
    }

    #[Route('/media/{id}', methods: ['POST'], requirements: ['id' => '\d+'])]
    public function rename(Request $request, int $id): Response
    {
        $to = $request->request->get('to');
        $this->files->move($request->request->get('from'), $to);
        $this->rows->rename($id, $to);
        $this->thumbs->make($this->files->at($to), '200x200');
        return new Response('', 204);
    }

    #[Route('/media', methods: ['DELETE'])]
    public function remove(Request $request): Response
    {
        $this->files->remove($request->query->get('name'));
        return new Response('', 204);
    }

    #[Route('/media/file', methods: ['GET'])]
    public function file(Request $request): Response
    {
        return new BinaryFileResponse($this->files->at($request->query->get('name')));
    }
}
