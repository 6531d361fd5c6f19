using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Codices.Pages.Manuscripts;

public class LeafModel : PageModel
{
    private static readonly string Base = Path.GetFullPath("/srv/codices/leaves");

    [BindProperty(SupportsGet = true)]
    public string Leaf { get; set; } = "";

    [BindProperty]
    public IFormFile? Scan { get; set; }

    [BindProperty]
    public string Transcript { get; set; } = "";

    public string Text { get; private set; } = "";

    public async Task<IActionResult> OnGetAsync()
    {
        var full = Path.GetFullPath(Path.Combine(Base, Leaf));
        if (!full.StartsWith(Base + Path.DirectorySeparatorChar, StringComparison.Ordinal))
        {
            return NotFound();
        }
        if (!System.IO.File.Exists(full))
        {
            return NotFound();
        }
        Text = await System.IO.File.ReadAllTextAsync(full);
        return Page();
    }

    public IActionResult OnGetImage(string name)
    {
        if (name.Contains("../"))
        {
            return BadRequest();
        }
        var image = Path.Combine(Base, name);
        var stream = System.IO.File.OpenRead(image);
        return File(stream, "image/tiff");
    }

    public async Task<IActionResult> OnPostScanAsync()
    {
        if (Scan is null || Scan.Length == 0)
        {
            ModelState.AddModelError(nameof(Scan), "A scan is required");
            return Page();
        }
        var name = DateTime.UtcNow.Ticks + "-" + Path.GetFileName(Scan.FileName);
        await using var output = System.IO.File.Create(Path.Combine(Base, "incoming", name));
        await Scan.CopyToAsync(output);
        return RedirectToPage();
    }

    public async Task<IActionResult> OnPostTranscriptAsync(string? folio)
    {
        var path = $"{Base}/transcripts/{folio}.txt";
        if (!path.StartsWith(Base))
        {
            return Forbid();
        }
        await System.IO.File.WriteAllTextAsync(path, Transcript);
        return RedirectToPage(new { Leaf });
    }
}
