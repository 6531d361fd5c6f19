using System.IO.Compression;
using Carter;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Packages;

public class PackageImport : ICarterModule
{
    private static readonly string Target = Path.GetFullPath("/srv/packages") + Path.DirectorySeparatorChar;

    public void AddRoutes(IEndpointRouteBuilder app)
    {
        app.MapPost("/packages", Import);
        app.MapPost("/packages/drafts", ImportDrafts);
        app.MapPost("/packages/icons", ImportIcons);
    }

    private static IResult Import(IFormFile archive)
    {
        using var zip = new ZipArchive(archive.OpenReadStream());
        foreach (var entry in zip.Entries)
        {
            if (entry.FullName.EndsWith('/')) continue;
            entry.ExtractToFile(Path.Combine(Target, entry.FullName), overwrite: true);
        }
        return Results.NoContent();
    }

    private static IResult ImportDrafts(IFormFile archive)
    {
        using var zip = new ZipArchive(archive.OpenReadStream());
        foreach (var entry in zip.Entries.Where(e => e.Name.Length > 0))
        {
            var path = Path.GetFullPath(Path.Combine(Target, entry.FullName));
            if (!path.StartsWith(Target, StringComparison.Ordinal))
            {
                return Results.BadRequest(entry.FullName);
            }
            entry.ExtractToFile(path, overwrite: true);
        }
        return Results.NoContent();
    }

    private static async Task<IResult> ImportIcons(IFormFile archive)
    {
        using var zip = new ZipArchive(archive.OpenReadStream());
        var first = zip.Entries.First(e => e.FullName.EndsWith(".ico"));
        await using var source = first.Open();
        await using var file = new FileStream($"{Target}icons/{first.FullName.Replace("../", "")}", FileMode.Create);
        await source.CopyToAsync(file);
        return Results.NoContent();
    }
}
