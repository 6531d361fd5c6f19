<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Routing\Annotation\Route;

interface Finder
{
    public function find(string $term): array;
}

abstract class TableFinder implements Finder
{
    public function __construct(protected Connection $db)
    {
    }
}

class FinderByEmail extends TableFinder
{
    public function find(string $term): array
    {
        return $this->db->fetchAllAssociative("SELECT id FROM person WHERE email = '$term'");
    }
}

class FinderByPhone extends TableFinder
{
    public function find(string $term): array
    {
        return $this->db->fetchAllAssociative('SELECT id FROM person WHERE phone = ?', [$term]);
    }
}

class PersonController
{
    #[Route('/person')]
    public function search(Request $request, Connection $db): JsonResponse
    {
        $term = (string) $request->query->get('q');
        $finder = str_contains($term, '@') ? new FinderByEmail($db) : new FinderByPhone($db);
        return new JsonResponse($finder->find($term));
    }
}
