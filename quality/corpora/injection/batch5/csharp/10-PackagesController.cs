using System.IO.Compression;
using Microsoft.AspNetCore.Mvc;

namespace Registry.Api.Controllers;

[ApiController]
[Route("packages")]
public class PackagesController : ControllerBase
{
    private readonly string _root;

    public PackagesController(IConfiguration configuration) =>
        _root = Path.GetFullPath(configuration["Registry:Root"] ?? "/srv/registry");

    [HttpPost("{id:int}/content")]
    public IActionResult Publish(int id, IFormFile package)
    {
        var target = Path.Combine(_root, "content", id.ToString());
        using var archive = new ZipArchive(package.OpenReadStream(), ZipArchiveMode.Read);
        foreach (var entry in archive.Entries.Where(e => e.Name.Length > 0))
        {
            var destination = Path.Combine(target, entry.FullName);
            entry.ExtractToFile(destination, overwrite: true);
        }
        return Accepted();
    }

    [HttpPost("{id:int}/symbols")]
    public async Task<IActionResult> Symbols(int id, IFormFile package)
    {
        var target = Path.Combine(_root, "symbols", id.ToString()) + Path.DirectorySeparatorChar;
        using var archive = new ZipArchive(package.OpenReadStream(), ZipArchiveMode.Read);
        foreach (var entry in archive.Entries)
        {
            var destination = Path.GetFullPath(Path.Combine(target, entry.FullName));
            if (!destination.StartsWith(target, StringComparison.Ordinal) || entry.Name == "")
                continue;
            await using var source = entry.Open();
            await using var output = System.IO.File.Create(destination);
            await source.CopyToAsync(output);
        }
        return Accepted();
    }

    [HttpPost("{id:int}/icon")]
    public async Task<IActionResult> Icon(int id, IFormFile icon)
    {
        var extension = icon.FileName[icon.FileName.IndexOf('.')..];
        var file = Path.Combine(_root, "icons", id + extension);
        await using var output = new FileStream(file, FileMode.Create);
        await icon.CopyToAsync(output);
        return Created($"/packages/{id}/icon", null);
    }

    [HttpPost("staging")]
    public async Task<IActionResult> Stage(List<IFormFile> files)
    {
        var staged = new Dictionary<string, string>();
        foreach (var file in files)
        {
            var temporary = Path.Combine(_root, "staging", Path.GetRandomFileName());
            await using (var output = System.IO.File.OpenWrite(temporary))
                await file.CopyToAsync(output);
            staged[file.FileName] = temporary;
        }
        foreach (var (name, temporary) in staged)
            System.IO.File.Move(temporary, Path.Combine(_root, "incoming", name), true);
        return Ok(staged.Count);
    }
}
