<?php

namespace App\Controller;

use Doctrine\DBAL\ArrayParameterType;
use Doctrine\DBAL\Connection;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Process\Process;
use Symfony\Component\Routing\Attribute\Route;

enum SortField: string
{
    case Name = 'lastName';
    case Hired = 'hiredAt';
    case City = 'city';
}

#[Route('/admin/people')]
final class PeopleController extends AbstractController
{
    public function __construct(
        private readonly EntityManagerInterface $em,
        private readonly Connection $db,
    ) {
    }

    #[Route('/list')]
    public function list(Request $request): JsonResponse
    {
        $sort = SortField::tryFrom($request->query->getString('sort')) ?? SortField::Name;
        $query = $this->em->createQuery('SELECT p FROM App\Entity\Person p ORDER BY p.' . $sort->value);

        return $this->json($query->getArrayResult());
    }

    #[Route('/search')]
    public function search(Request $request): JsonResponse
    {
        $conditions = ['p.active = true'];
        foreach ($request->query->all('match') as $field => $value) {
            $conditions[] = sprintf("p.%s LIKE '%%%s%%'", $field, $value);
        }
        $dql = 'SELECT p FROM App\Entity\Person p WHERE ' . implode(' AND ', $conditions);

        return $this->json($this->em->createQuery($dql)->setMaxResults(50)->getArrayResult());
    }

    #[Route('/badges', methods: ['POST'])]
    public function badges(Request $request): JsonResponse
    {
        $ids = $request->toArray()['ids'] ?? [];
        $rows = $this->db->executeQuery(
            'SELECT id, badge_no FROM badge WHERE person_id IN (:ids)',
            ['ids' => $ids],
            ['ids' => ArrayParameterType::INTEGER],
        );

        return $this->json($rows->fetchAllAssociative());
    }

    #[Route('/{id}/card', requirements: ['id' => '\d+'])]
    public function card(int $id, Request $request): Response
    {
        $target = sys_get_temp_dir() . "/card-$id.pdf";
        $footer = $request->query->getString('footer', 'Internal');
        $process = Process::fromShellCommandline(
            sprintf('wkhtmltopdf --footer-center "%s" http://localhost/cards/%d %s', $footer, $id, $target)
        );
        $process->mustRun();
        (new Process(['exiftool', '-overwrite_original', '-Title=' . $footer, $target]))->mustRun();

        return $this->json(['file' => "card-$id.pdf"]);
    }
}
