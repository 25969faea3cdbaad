// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ModelCard.h>

#include <iomanip>
#include <sstream>

namespace psmformer
{
  namespace
  {
    std::vector<std::string> curveRow(const EpochRecord& record)
    {
      std::vector<std::string> cells = {std::to_string(record.epoch)};
      const auto add = [&](double value, int digits)
      {
        std::ostringstream text;
        text << std::fixed << std::setprecision(digits) << value;
        cells.push_back(text.str());
      };
      add(record.training_loss, 5);
      add(record.validation_loss, 5);
      add(record.validation_top1, 4);
      add(record.validation_cosine_auc, 4);
      add(record.spectra_per_second, 1);
      return cells;
    }

    /// The table of the loss curves, head first.
    std::vector<std::vector<std::string>> curveRows(const LossCurves& curves)
    {
      std::vector<std::vector<std::string>> rows = {{"epoch", "training_loss", "validation_loss", "validation_top1",
                                                     "validation_cosine_auc", "spectra_per_second"}};
      const bool has_folds = curves.size() > 1;
      if (has_folds)
      {
        rows.front().insert(rows.front().begin(), "fold");
      }
      for (std::size_t fold = 0; fold < curves.size(); ++fold)
      {
        for (const EpochRecord& record : curves[fold])
        {
          rows.push_back(curveRow(record));
          if (has_folds)
          {
            rows.back().insert(rows.back().begin(), std::to_string(fold + 1));
          }
        }
      }
      return rows;
    }

    /// A bar would end the cell.
    std::string escapeBars(std::string text)
    {
      for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2))
      {
        text.insert(bar, 1, '\\');
      }
      return text;
    }

    void writeRow(std::ostream& card, const std::vector<std::string>& cells)
    {
      for (const std::string& cell : cells)
      {
        card << "| " << escapeBars(cell) << ' ';
      }
      card << "|\n";
    }

    void writeHead(std::ostream& card, const std::vector<std::string>& cells)
    {
      writeRow(card, cells);
      writeRow(card, std::vector<std::string>(cells.size(), "---"));
    }

    void writeData(std::ostream& card, const ModelManifest& manifest, const TrainingSplit& split, std::size_t n_pool)
    {
      card << "\n## Data\n\n" << manifest.training.data << "\n\n";
      writeHead(card, {"source", "training spectra", "validation spectra"});
      for (const auto& [source, counts] : split.sources)
      {
        writeRow(card, {source, std::to_string(counts.first), std::to_string(counts.second)});
      }
      writeRow(card, {"all", std::to_string(split.training.size()), std::to_string(split.validation.size())});
      card << "\nLeft out: " << split.n_test << " spectra of the test part, " << split.n_excluded
           << " of excluded peptides, " << split.n_unsupported
           << " that the model does not take. The part of a peptide is the first byte of SHA-256 of its key (residues "
              "with I as L) modulo 10: 0 test, 1 validation, others training. Negatives are drawn from "
           << n_pool << " natural peptides.\n";
    }

    /// Name, version, licence, size, and what the network has seen.
    void writeDescription(std::ostream& card, const ModelManifest& manifest)
    {
      card << "# Model " << manifest.name << ' ' << manifest.version << "\n\n";
      card << "Scores peptide-spectrum matches in PSMFormer. Trained by " << manifest.training.program;
      if (!manifest.training.date.empty())
      {
        card << " on " << manifest.training.date;
      }
      card << " with seed " << manifest.training.seed << ". License of the weights: " << manifest.license << ".\n";
      if (!manifest.citation.empty())
      {
        card << "Citation: " << manifest.citation << "\n";
      }
      card << "\n" << manifest.n_parameters << " parameters";
      if (manifest.folds.count > 1)
      {
        card << " in each of " << manifest.folds.count
             << " sets of weights, each fitted without one fold of the peptides and used for that fold";
      }
      card << "; modifications seen in training:";
      for (const double mass : manifest.inputs.trained_modifications)
      {
        card << ' ' << std::fixed << std::setprecision(3) << mass;
      }
      card << (manifest.inputs.trained_modifications.empty() ? " none.\n" : " Da.\n");
      card << "\nActivations seen in training:";
      for (const std::string& activation : manifest.inputs.trained_activations)
      {
        card << ' ' << activation;
      }
      card << (manifest.inputs.trained_activations.empty() ? " not stated in the data.\n" : ".\n");
    }

    void writeCurves(std::ostream& card, const ModelManifest& manifest, const LossCurves& curves)
    {
      card << "\n## Loss curve\n\n";
      const std::vector<std::vector<std::string>> rows = curveRows(curves);
      writeHead(card, rows.front());
      for (std::size_t k = 1; k < rows.size(); ++k)
      {
        writeRow(card, rows[k]);
      }
      card << "\nThe weights are those of the epoch with the smallest validation loss, " << std::setprecision(5)
           << manifest.training.validation_loss << (manifest.folds.count > 1 ? " on average over the folds.\n" : ".\n");
    }
  }

  std::string writeModelCard(const ModelManifest& manifest, const TrainingSplit& split, const ModelCardContent& content)
  {
    std::ostringstream card;
    writeDescription(card, manifest);
    writeData(card, manifest, split, content.n_pool);
    writeCurves(card, manifest, content.curves);
    card << "\n## Parameters of the training\n\n";
    writeHead(card, {"option", "value"});
    for (const auto& [name, value] : content.parameters)
    {
      writeRow(card, {name, value});
    }
    card << "\n## Manifest\n\n```json\n" << writeManifest(manifest) << "\n```\n";
    return card.str();
  }

  std::string writeLossCurves(const LossCurves& curves)
  {
    std::ostringstream table;
    const auto writeLine = [&](const std::vector<std::string>& cells)
    {
      for (std::size_t k = 0; k < cells.size(); ++k)
      {
        table << (k == 0 ? "" : "\t") << cells[k];
      }
      table << '\n';
    };
    for (const std::vector<std::string>& row : curveRows(curves))
    {
      writeLine(row);
    }
    return table.str();
  }
}
