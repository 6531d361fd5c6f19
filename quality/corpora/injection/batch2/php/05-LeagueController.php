<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Routing\Annotation\Route;

class LeagueController extends AbstractController
{
    public function __construct(private Connection $db, private EntityManagerInterface $em)
    {
    }

    #[Route('/league/table')]
    public function table(Request $request): JsonResponse
    {
        $sql = sprintf("SELECT team, points FROM standing WHERE league = '%s'", $request->query->get('league'));
        return $this->json($this->db->fetchAllAssociative($sql));
    }

    #[Route('/league/round')]
    public function round(Request $request): JsonResponse
    {
        $sql = sprintf('SELECT home, away FROM fixture WHERE round = %d', $request->query->get('round'));
        return $this->json($this->db->fetchAllAssociative($sql));
    }

    #[Route('/league/player')]
    public function player(Request $request): JsonResponse
    {
        $dql = vsprintf("SELECT p FROM App\Entity\Player p WHERE p.%s = '%s'", ['name', $request->get('name')]);
        return $this->json($this->em->createQuery($dql)->getArrayResult());
    }
}
